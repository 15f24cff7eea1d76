/**
 * The success of an endpoint that answers with a redirect to a file: the file's bytes. On the wire it is a 302 without
 * a body; a client goes where it leads, and takes no credential there, as the address itself is the permission.
 */
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

export const status = 302

export const FileRedirect = Schema.Uint8Array.pipe(
  HttpApiSchema.asNoContent({ decode: () => new Uint8Array() }),
  HttpApiSchema.status(status)
).annotate({ description: "Found: the file is at `Location`" })
