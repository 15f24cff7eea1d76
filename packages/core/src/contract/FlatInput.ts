import type * as Brand from "effect/Brand"
import type { Timestamp } from "./Scalars.ts"

type Field<S> = [S] extends [never] ? {} : S

/** The type of an input value: a `Date` or text for a timestamp, plain values for branded ones. */
export type InputValue<T> = T extends Timestamp
  ? string | Date
  : T extends string & Brand.Brand<string>
    ? string
    : T extends number & Brand.Brand<string>
      ? number
      : T extends string
        ? T // an open enumeration, which is also an object type
        : T extends ReadonlyArray<infer A>
          ? ReadonlyArray<InputValue<A>>
          : T extends object
            ? { readonly [K in keyof T]: InputValue<T[K]> }
            : T

/** The parameters of the path and query and the members of the body, in one object. */
export type FlatInput<Params, Query, Payload> = Field<Params> & Field<Query> & Field<Payload> extends infer M
  ? { readonly [K in keyof M]: M[K] }
  : never
