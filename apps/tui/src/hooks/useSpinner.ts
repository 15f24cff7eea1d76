import { useAnimation } from "ink"

/** Milliseconds before anything is said of waiting: most answers are quicker, and a flash disturbs. */
const SILENCE = 150

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** A sign that turns while one waits, none at first, and how long one has waited, in milliseconds. */
export const useSpinner = (): { readonly sign: string | undefined; readonly time: number } => {
  const { frame, time } = useAnimation({ interval: 80 })
  return { sign: sign(frame, time), time }
}

export const sign = (frame: number, time: number): string | undefined =>
  time < SILENCE ? undefined : frames[frame % frames.length]
