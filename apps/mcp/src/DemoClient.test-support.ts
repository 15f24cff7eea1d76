/** An MCP client of the tools over the demonstration, whose forge runs in this process. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as McpProtocol from "effect/ai/McpProtocol"
import * as ConnectionLayer from "@tongs/connection/ConnectionLayer"
import * as TestServer from "./TestServer.test-support.ts"
import type * as ToolServer from "./ToolServer.ts"

const file = fileURLToPath(new URL("../../cli/fixtures/demo.json", import.meta.url))

/** The forge of the demonstration. The folder is deleted when the layer ends. */
export const demo = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-mcp-demo-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    ),
    (folder) =>
      ConnectionLayer.layer({ cwd: folder, demo: file, limitsStore: "memory" }).pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { HOME: folder } })))
      )
  )
)

/** Connects a client to the tools of the forge in the context. Default: the stateless protocol version. */
export const connect = (
  selection: Partial<ToolServer.Options> = {},
  protocolVersion: McpProtocol.ProtocolVersion = "2026-07-28"
) =>
  Effect.flatMap(Effect.context<Layer.Success<typeof demo>>(), (context) =>
    TestServer.connect(Layer.succeedContext(context), selection, protocolVersion)
  )
