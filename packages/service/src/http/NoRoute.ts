/** The response to a request without a route: 405, 404, the preflight of a web page, or an unimplemented operation. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as ApiError from "../api/ApiError.ts"
import type { Cors } from "./Cors.ts"
import type { AnsweredRequest, KnownRequest } from "./RequestStages.ts"
import { answered, errorResponse } from "./Responses.ts"
import * as UnimplementedOperations from "./UnimplementedOperations.ts"

/** Answers a request without a route. */
export type NoRoute = (request: KnownRequest) => AnsweredRequest

/** Creates the function that answers. `methods` returns the HTTP methods that the forge implements for a path. */
export const make =
  (
    dialect: Dialect,
    cors: Cors,
    unimplemented: UnimplementedOperations.UnimplementedOperations,
    methods: (path: string) => ReadonlyArray<string>
  ): NoRoute =>
  (request) => {
    const { path } = request
    const { method } = request.request
    const allowed = methods(path)
    if (method === "OPTIONS") {
      // Pages of other origins can also read that an operation is not implemented.
      const all = [...allowed, ...unimplemented.methods(path)]
      if (all.length > 0) return answered(request, cors.preflight(all))
    }
    const operation = unimplemented.find(method, path)
    if (operation !== undefined) {
      const error = UnimplementedOperations.error(operation)
      return answered(request, errorResponse(dialect, request, error, operation.documentation))
    }
    if (allowed.length === 0) return answered(request, errorResponse(dialect, request, ApiError.notFound()))
    const detail = `${method} is not allowed here; ${allowed.join(", ")} would be`
    const refused = errorResponse(dialect, request, ApiError.unreadableRequest(405, detail))
    return answered(request, HttpServerResponse.setHeader(refused, "allow", allowed.join(", ")))
  }
