/** References and definitions as gopls finds them, by line. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

interface Position {
  readonly path: string
  readonly line: number
  readonly column: number
}

const keywords = new Set(
  "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var _".split(
    " "
  )
)

/** Comments, strings, characters and numbers, or a name. */
const tokens =
  /\/\/[^\n]*|\/\*[^]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\b\d[\w.]*|(?<name>[\p{L}_][\p{L}\p{N}_]*)/gu

/** Returns the positions of all names in a file of Go, without comments and strings. */
export const names = (root: string, path: string): ReadonlyArray<Position & { readonly name: string }> => {
  const text = readFileSync(join(root, path), "utf8")
  return Array.from(text.matchAll(tokens)).flatMap(({ groups, index }) => {
    const name = groups?.["name"]
    if (name === undefined || keywords.has(name)) return []
    const before = text.slice(0, index)
    return [{ path, name, line: before.split("\n").length, column: index - before.lastIndexOf("\n") - 1 }]
  })
}

/** Starts gopls for the work tree of a repository. */
export const start = (root: string) => {
  const server = spawn("gopls", ["serve"], { cwd: root, stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let requests = 0
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  server.stdout.on("data", (part: Buffer) => {
    received = Buffer.concat([received, part])
    for (;;) {
      const head = received.indexOf("\r\n\r\n")
      const length = Number(/Content-Length: (\d+)/.exec(received.toString("latin1", 0, Math.max(0, head)))?.[1])
      if (head === -1 || received.length < head + 4 + length) return
      const message = JSON.parse(received.toString("utf8", head + 4, head + 4 + length))
      received = received.subarray(head + 4 + length)
      if (message.method === undefined) waiting.get(message.id)?.(message.result)
      else if (message.id !== undefined) {
        const isConfiguration = message.method === "workspace/configuration"
        send({ id: message.id, result: isConfiguration ? message.params.items.map(() => null) : null })
      }
    }
  })
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      const id = ++requests
      waiting.set(id, resolve)
      send({ id, method, params })
    })
  const initialized = request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {}
  }).then(() => send({ method: "initialized", params: {} }))

  const find = async (method: string, { column, line, path }: Position, extra: object) => {
    await initialized
    const found = await request(`textDocument/${method}`, {
      textDocument: { uri: pathToFileURL(join(root, path)).href },
      position: { line: line - 1, character: column },
      ...extra
    })
    const places = Array.isArray(found) ? found : []
    return new Set(
      places.map(({ range, uri }) => {
        const file = fileURLToPath(String(uri))
        return `${file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file}:${Number(range.start.line) + 1}`
      })
    )
  }
  return {
    /** Finds the lines that use the name at a position, without its declaration. */
    references: (position: Position) => find("references", position, { context: { includeDeclaration: false } }),
    /** Finds the definitions of the name at a position. Places outside of the repository are absolute. */
    definitions: (position: Position) => find("definition", position, {}),
    stop: () => server.kill()
  }
}
