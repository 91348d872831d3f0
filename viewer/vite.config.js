import { defineConfig } from "vite";

// The page is three files of fixed names, so that the server can name them.
export default defineConfig({
  publicDir: "public",
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
