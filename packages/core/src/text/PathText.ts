/** Paths in a repository, whose folders are separated by slashes. */

/** Returns the text after the last slash: the name of a file. Empty for a path that ends with a slash. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
