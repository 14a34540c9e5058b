import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { type Message, type Retries } from "@atrium/client";

/** What the test that runs these files has prepared on a server: an organization with a room. */
export const SERVER = given("ATRIUM_URL");
export const KEY = given("ATRIUM_KEY");
export const ORGANIZATION = given("ATRIUM_ORGANIZATION");
export const SPACE = given("ATRIUM_SPACE");
export const ROOM = given("ATRIUM_ROOM");
export const QUICK: Partial<Retries> = { attempts: 5, firstWait: 0.01, maxWait: 0.05 };
export const MANY: Partial<Retries> = { attempts: 1000, firstWait: 0.01, maxWait: 0.05 };
export const NO_ID = "00000000-0000-4000-8000-000000000000";

function given(name: string): string {
  return process.env[name] ?? `${name} is not set`;
}

/** A response, or null to close the connection instead. */
export type Answer = [status: number, headers: Record<string, string>, body: string] | null;

export interface Received {
  method: string;
  headers: IncomingMessage["headers"];
  at: number;
}

/** Run a server that sends these responses in turn; call `use` with its URL and the requests that it received. */
export async function scripted(
  answers: Answer[],
  use: (url: string, requests: Received[]) => Promise<void>,
): Promise<void> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests.push({ method: request.method ?? "", headers: request.headers, at: performance.now() });
      const answer = answers.shift();
      if (answer) response.writeHead(answer[0], answer[1]).end(answer[2]);
      else request.socket.destroy();
    });
  });
  await listening(server);
  try {
    await use(`http://127.0.0.1:${portOf(server)}`, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<void> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
}

export function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

/** Return the URL of a server that is not there. */
export async function away(): Promise<string> {
  const server = createServer();
  await listening(server);
  const port = portOf(server);
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

/** A proxy in front of the server. `cut` breaks all connections; `onResponse` can break one instead of passing it on. */
export class Proxy {
  onResponse: (bytes: Buffer) => boolean = () => true;
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server = createTcpServer((client) => this.join(client));

  async start(): Promise<string> {
    await listening(this.server);
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  private join(client: Socket): void {
    const { hostname, port } = new URL(SERVER);
    const server = connect(Number(port), hostname);
    this.connections += 1;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => (this.onResponse(bytes) ? client.write(bytes) : client.destroy()));
  }
}

/** Return the items until one has this text. */
export async function until(messages: AsyncIterable<Message>, text: string): Promise<Message[]> {
  const found: Message[] = [];
  for await (const message of messages) {
    found.push(message);
    if (message.text === text) break;
  }
  return found;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export function texts(messages: Message[]): string[] {
  return messages.map((message) => message.text);
}
