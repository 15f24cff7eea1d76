/** Disks in memory that a test can fill. Only root can mount such a disk. */
import { spawnSync } from "node:child_process"
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Mounts an empty disk of a number of megabytes. */
export const mount = (path: string, size = 24): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}m,mode=700`, "tmpfs", path], { stdio: "ignore" }).status === 0
export const unmount = (path: string) => spawnSync("umount", ["--lazy", path], { stdio: "ignore" })

export const canMount = (() => {
  const path = "/mnt"
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !mount(path)) return false
  unmount(path)
  return true
})()

/** Fills the disk of a folder. Returns the new file. */
export const fill = (path: string): string => {
  const file = join(path, "filler")
  writeFileSync(file, "")
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    const bytes = Buffer.alloc(size)
    try {
      for (;;) appendFileSync(file, bytes)
    } catch {
      // Less space is left.
    }
  }
  return file
}
