/** True in `npm run test:long`, where some suites check more cases than in `npm test`. */
export const isLong = process.env["TONGS_LONG_TESTS"] !== undefined

/** Returns all cases in `npm run test:long`, otherwise one of `step` cases, by default one of three. */
export const sample = <A>(cases: ReadonlyArray<A>, step = 3): ReadonlyArray<A> =>
  isLong ? cases : cases.filter((_, index) => index % step === 0)

/** Defines tests in `npm run test:long` only. `npm test` has other tests of the essentials of the same feature. */
export const inLongTests = (define: () => void): void => {
  if (isLong) define()
}
