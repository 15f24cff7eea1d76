/** Frees the memory of a large response during sending. */
import type { ServerResponse } from "node:http"
import type { Readable } from "node:stream"

/**
 * Frees each chunk of `source` after `response` has sent the chunk; nothing else may use the chunks. Otherwise the
 * buffers of a large pack, 64 KB each, cause ten garbage collections of the whole heap per 240 MB.
 */
export const free = (source: Readable, response: ServerResponse): void => {
  const written: Array<Buffer<ArrayBuffer>> = []
  response.once("pipe", () => {
    // Runs before the listener of the pipe, which writes the chunk.
    source.prependListener("data", (chunk: Buffer<ArrayBuffer>) => {
      if (response.writableLength === 0) for (const { buffer } of written.splice(0)) buffer.transfer(0)
      // Excludes parts of a buffer that Node shares between chunks.
      if (chunk.length === chunk.buffer.byteLength) written.push(chunk)
    })
  })
}
