/** The link to the server: requests and their answers; what was not answered is sent again. */

import type { Operation } from "./document";

export interface Fault {
  part?: string | null;
  port?: string | null;
  field?: string | null;
  value?: unknown;
  text: string;
  remedy?: string;
  /** The sub-model that it is in. */
  in?: string;
}

export interface Answer {
  request: number;
  revision?: number;
  error?: Fault;
  // the fields depend on the request
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

export interface Message {
  type: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

export interface Receiver {
  receive(message: Message): void;
  frame(data: ArrayBuffer): void;
  linked(on: boolean): void;
}

/** Milliseconds between attempts to connect: the first, and the longest. */
const [SOON, LATE] = [250, 4000];

export class Link {
  private socket: WebSocket | null = null;
  private wait = SOON;
  private last = 0;
  private readonly open = new Map<number, { text: string; done: (answer: Answer) => void }>();
  readonly client = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

  constructor(
    private readonly url: string,
    private readonly receiver: Receiver,
  ) {
    this.connect();
  }

  /** Number of requests without an answer. */
  get waiting(): number {
    return this.open.size;
  }

  request(operation: Operation, base: number): Promise<Answer> {
    const n = ++this.last;
    const { client } = this;
    const text = JSON.stringify({ ...operation, type: "request", request: n, client, base });
    return new Promise((done) => {
      this.open.set(n, { text, done });
      this.post(text);
    });
  }

  /** Send a message that needs no answer, and that nobody misses later. */
  send(message: unknown): void {
    this.post(JSON.stringify(message));
  }

  private post(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  private connect(): void {
    const socket = new WebSocket(new URL(this.url, location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = SOON;
      this.receiver.linked(true);
      for (const { text } of this.open.values()) this.post(text);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.receiver.frame(data);
      else this.hear(JSON.parse(data) as Message);
    };
    socket.onclose = () => {
      this.receiver.linked(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LATE);
    };
    this.socket = socket;
  }

  private hear(message: Message): void {
    if (message.type !== "answer") {
      this.receiver.receive(message);
      return;
    }
    const asked = this.open.get(message.request);
    this.open.delete(message.request);
    asked?.done(message as unknown as Answer);
  }
}
