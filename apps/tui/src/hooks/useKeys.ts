import { useInput } from "ink"
import * as KeyBindings from "../model/KeyBindings.ts"

/** Calls `press` with the name of each key (`KeyBindings.keyNames`), in order. */
export const useKeys = (press: (key: string) => void): void =>
  useInput((input, key) => {
    for (const name of KeyBindings.keyNames(input, key)) press(name)
  })
