/** The link of a live page to its server: a WebSocket that comes back after it was lost. */

import type { FromServer, ToServer } from "./messages";

export interface Receiver {
  receive(message: FromServer): void;
  frame(data: ArrayBuffer): void;
  connected(on: boolean): void;
}

export class Link {
  private socket: WebSocket | null = null;
  private wait = 250;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly receiver: Receiver,
  ) {
    this.open();
  }

  send(message: ToServer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private open(): void {
    const socket = new WebSocket(new URL(this.url, location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = 250;
      this.receiver.connected(true);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.receiver.frame(data);
      else this.receiver.receive(JSON.parse(data) as FromServer);
    };
    socket.onclose = () => {
      this.receiver.connected(false);
      if (this.closed) return;
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, 5000);
    };
    this.socket = socket;
  }
}
