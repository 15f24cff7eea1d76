/** The signals that end a command. */
import * as Struct from "effect/Struct"

/** Exit codes after signals: 128 plus the number of the signal, as in shells. */
export const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const // literal types

/** A signal that ends a command. */
export type Signal = keyof typeof codes

/** The signals that end a command. */
export const names = Struct.keys(codes)
