// Pictures and films of what is seen.

export function save(content: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function savePicture(canvas: HTMLCanvasElement, name: string) {
  canvas.toBlob((content) => content && save(content, `${name}.png`), "image/png");
}

/** Records the canvas until it is stopped. */
export class Film {
  private recorder: MediaRecorder | null = null;

  get running() {
    return this.recorder !== null;
  }

  start(canvas: HTMLCanvasElement, name: string) {
    const parts: Blob[] = [];
    const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((t) => MediaRecorder.isTypeSupported(t));
    const recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12_000_000 });
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => save(new Blob(parts, { type }), `${name}.${type?.includes("mp4") ? "mp4" : "webm"}`);
    recorder.start();
    this.recorder = recorder;
  }

  stop() {
    this.recorder?.stop();
    this.recorder = null;
  }
}
