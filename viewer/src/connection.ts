// The socket to the server. A lost connection is taken up again.

import { decode, type Message } from "./protocol";

export type Command = { do: string } & Record<string, unknown>;
export type Link = "connected" | "lost";

const FIRST_DELAY = 250;
const LONGEST_DELAY = 4000;

export class Connection {
  private socket: WebSocket | null = null;
  private delay = FIRST_DELAY;

  constructor(
    private readonly onMessage: (message: Message) => void,
    private readonly onLink: (link: Link) => void,
  ) {
    this.open();
  }

  private open() {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.delay = FIRST_DELAY;
      this.onLink("connected");
    };
    socket.onmessage = (event) => this.onMessage(decode(event.data as ArrayBuffer));
    socket.onclose = () => {
      this.onLink("lost");
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
    };
    this.socket = socket;
  }

  send(command: Command) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  sendBytes(bytes: ArrayBuffer) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }
}
