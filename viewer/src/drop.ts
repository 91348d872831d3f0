// Files and folders that are dropped on the page.

import { encodeFiles } from "./protocol";

interface Dropped { name: string; content: ArrayBuffer }

async function read(entry: FileSystemEntry, files: Dropped[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    files.push({ name: entry.fullPath.replace(/^\//, ""), content: await file.arrayBuffer() });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (!entries.length) return;
    for (const inner of entries) await read(inner, files);
  }
}

export function acceptFiles(page: HTMLElement, send: (bytes: ArrayBuffer) => void) {
  const mark = (on: boolean) => page.classList.toggle("dropping", on);
  page.addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  page.addEventListener("dragleave", (event) => !event.relatedTarget && mark(false));
  page.addEventListener("drop", async (event) => {
    event.preventDefault();
    mark(false);
    const items = [...(event.dataTransfer?.items ?? [])];
    const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
    const plain = [...(event.dataTransfer?.files ?? [])];
    const files: Dropped[] = [];
    if (entries.some((entry) => entry)) {
      for (const entry of entries) if (entry) await read(entry, files);
    } else {
      for (const file of plain) files.push({ name: file.name, content: await file.arrayBuffer() });
    }
    if (files.length) send(encodeFiles(files));
  });
}
