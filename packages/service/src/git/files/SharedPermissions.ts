/** Permissions of new files and folders in a repository with `core.sharedRepository`, as in git's `path.c`. */

const GROUP_BITS = 0o660
const EVERYBODY_BITS = 0o664
const PERMISSION_BITS = 0o777
const SET_GROUP_ID = 0o2000

interface SharedMode {
  readonly bits: number
  /** True to replace the permissions, false to add to the existing permissions. */
  readonly isExact: boolean
}

const modeOf = (shared: string | undefined): SharedMode | undefined => {
  if (shared === undefined || /^(?:umask|false|0+)$/i.test(shared)) return undefined
  if (/^(?:group|true|0*1)$/i.test(shared)) return { bits: GROUP_BITS, isExact: false }
  if (/^(?:all|world|everybody|0*2)$/i.test(shared)) return { bits: EVERYBODY_BITS, isExact: false }
  return { bits: Number.parseInt(shared, 8) & 0o666, isExact: true }
}

/** Returns the mode for a new file or folder, which is `mode` itself if no change is necessary. */
export const adjust = (shared: string | undefined, mode: number, isFolder: boolean): number => {
  const target = modeOf(shared)
  if (target === undefined) return mode
  const isWritable = (mode & 0o200) !== 0
  const isExecutable = (mode & 0o100) !== 0
  const granted = isWritable ? target.bits : target.bits & ~0o222
  const bits = isExecutable ? granted | ((granted & 0o444) >> 2) : granted
  const adjusted = target.isExact ? (mode & ~PERMISSION_BITS) | bits : mode | bits
  if (!isFolder) return adjusted
  const searchable = adjusted | ((adjusted & 0o444) >> 2)
  return (searchable & 0o060) === 0 ? searchable : searchable | SET_GROUP_ID
}
