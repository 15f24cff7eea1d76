/** True in `npm run test:long`, where some suites check more cases than in `npm test`. */
export declare const isLong: boolean
/** Returns all cases in `npm run test:long`, otherwise one of `step` cases, by default one of three. */
export declare const sample: <A>(cases: ReadonlyArray<A>, step?: number) => ReadonlyArray<A>
/** Defines tests in `npm run test:long` only. `npm test` has other tests of the essentials of the same feature. */
export declare const inLongTests: (define: () => void) => void
