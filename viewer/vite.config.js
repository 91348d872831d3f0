import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

/** Whoever gets the page gets the licence of what it contains. */
function licence() {
  const text = readFileSync("node_modules/three/LICENSE", "utf8").trim();
  return {
    name: "licence",
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") part.code = `/*!\nThis file contains three.js.\n\n${text}\n*/\n${part.code}`;
      }
    },
  };
}

// The page is three files of fixed names, so that the server can name them.
export default defineConfig({
  publicDir: "public",
  plugins: [licence()],
  build: {
    outDir: process.env.PAGE_OUT ?? "../crates/ligament-view/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "viewer.js", assetFileNames: "viewer.[ext]" },
    },
  },
});
