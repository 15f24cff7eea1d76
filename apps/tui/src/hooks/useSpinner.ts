import { useAnimation } from "ink"

/** Milliseconds before the spinner appears. Most responses are faster, and a flickering spinner distracts. */
const DELAY = 150

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** Returns the spinner's character, undefined before `DELAY`, and the milliseconds since the component appeared. */
export const useSpinner = (): { readonly sign: string | undefined; readonly time: number } => {
  const { frame, time } = useAnimation({ interval: 80 })
  return { sign: sign(frame, time), time }
}

/** Returns the spinner's character for an animation frame; undefined before `DELAY`. */
export const sign = (frame: number, time: number): string | undefined =>
  time < DELAY ? undefined : frames[frame % frames.length]
