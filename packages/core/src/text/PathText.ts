/** Paths in a repository, whose folders are separated by slashes. */

/** Returns the text after the last slash: the name of a file. Empty for a path that ends with a slash. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Returns the text before the last slash: the folder of a file. Empty for a path without a slash. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))
