import { useAnimation } from "ink"

/** Milliseconds before the spinner appears. Most responses are faster, and flicker distracts. */
const DELAY = 150

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** The current frame of the spinner, undefined at first, and the time since it started in milliseconds. */
export const useSpinner = (): { readonly sign: string | undefined; readonly time: number } => {
  const { frame, time } = useAnimation({ interval: 80 })
  return { sign: sign(frame, time), time }
}

/** The character of a frame; undefined before the delay. */
export const sign = (frame: number, time: number): string | undefined =>
  time < DELAY ? undefined : frames[frame % frames.length]
