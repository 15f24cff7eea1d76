type Field<S> = [S] extends [never] ? {} : S

/** The parts of a request in one object, as callers give them and handlers get them: path, query and body. */
export type FlatInput<Params, Query, Payload> = Field<Params> & Field<Query> & Field<Payload> extends infer M
  ? { readonly [K in keyof M]: M[K] }
  : never
