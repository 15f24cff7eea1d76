/** The quantile of the values for a share between 0 and 1; `NaN` without values. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)
