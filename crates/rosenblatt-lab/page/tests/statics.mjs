// Serves a folder as any server of files does: by extension, without headers of its own.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** The address of a server of `folder`, and a function that ends it. `more` has texts by their paths. */
export async function serve(folder, more = {}) {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://x").pathname)).replace(/\/$/, "/index.html");
    const text = more[path] ?? await readFile(join(folder, path)).catch(() => undefined);
    if (text === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": KINDS[extname(path)] ?? "application/octet-stream" }).end(text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  server.unref();
  return { port: server.address().port, address: `http://127.0.0.1:${server.address().port}`, end: () => server.close() };
}
