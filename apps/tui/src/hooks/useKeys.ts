import { useInput } from "ink"
import * as Key from "../model/Key.ts"

/** Calls `press` with the name of each key, in order. */
export const useKeys = (press: (key: string) => void): void =>
  useInput((input, key) => {
    for (const name of Key.names(input, key)) press(name)
  })
