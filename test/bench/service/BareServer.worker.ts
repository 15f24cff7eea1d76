/** A minimal Node server: sends prepared responses by URL. */
import { createServer } from "node:http"
import * as Schema from "effect/Schema"
import { respond } from "../ForkedWorker.ts"

const decode = Schema.decodeUnknownPromise(
  Schema.Struct({
    answers: Schema.Array(
      Schema.Struct({ path: Schema.String, headers: Schema.Record(Schema.String, Schema.String), body: Schema.String })
    )
  })
)

/** Headers that Node adds automatically. */
const own = new Set(["connection", "date", "keep-alive", "transfer-encoding"])

respond(async (question) => {
  const { answers } = await decode(question)
  const known = new Map(
    answers.map(({ body, headers, path }) => [
      path,
      {
        headers: Object.entries(headers)
          .filter(([name]) => !own.has(name))
          .flat(),
        body: Buffer.from(body)
      }
    ])
  )
  const server = createServer({ keepAliveTimeout: 15_000 }, (request, response) => {
    const found = known.get(request.url ?? "")
    if (found === undefined) return response.writeHead(404).end()
    response.writeHead(200, found.headers).end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : address}` }
})
