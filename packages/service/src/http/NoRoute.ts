/** The response to a request without a route: 405, 404, the preflight of a web page, or an unimplemented operation. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as ApiError from "../api/ApiError.ts"
import type { Cors } from "./Cors.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import { errorResponse } from "./Responses.ts"
import * as UnimplementedOperations from "./UnimplementedOperations.ts"

/** Creates the function that answers. `methods` returns the HTTP methods that the forge implements for a path. */
export const make =
  (
    dialect: Dialect,
    cors: Cors,
    unimplemented: UnimplementedOperations.UnimplementedOperations,
    methods: (path: string) => ReadonlyArray<string>
  ) =>
  (incoming: IncomingRequest): HttpServerResponse.HttpServerResponse => {
    const { path, request } = incoming
    const allowed = methods(path)
    if (request.method === "OPTIONS") {
      // Pages of other origins can also read that an operation is not implemented.
      const all = [...allowed, ...unimplemented.methods(path)]
      if (all.length > 0) return cors.preflight(all)
    }
    const operation = unimplemented.find(request.method, path)
    if (operation !== undefined) {
      const error = UnimplementedOperations.error(operation)
      return errorResponse(dialect, incoming, error, operation.documentation)
    }
    if (allowed.length === 0) return errorResponse(dialect, incoming, ApiError.notFound())
    const detail = `${request.method} is not allowed here; ${allowed.join(", ")} would be`
    return HttpServerResponse.setHeader(
      errorResponse(dialect, incoming, ApiError.unreadableRequest(405, detail)),
      "allow",
      allowed.join(", ")
    )
  }
