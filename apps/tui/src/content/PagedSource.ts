/** Loads the pages of a list when they become visible. */
import * as NumberedPages from "./NumberedPages.ts"
import * as SequentialPages from "./SequentialPages.ts"
import type { Environment, PagedList, Source } from "./Source.ts"

/** Creates the source of a list. */
export const make = <A>(environment: Environment, list: PagedList<A>): Source =>
  list.isNumbered ? NumberedPages.make(environment, list) : SequentialPages.make(environment, list)
