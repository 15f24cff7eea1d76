/** Binary search: the first index from 0 to `length` at which `isBefore` is false, or `length`. */
export const lowerBound = (length: number, isBefore: (index: number) => boolean): number => {
  let low = 0
  for (let high = length; low < high;) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
