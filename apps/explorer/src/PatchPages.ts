/** Number of files in a page of patches. In a file of its own, so that the page loads no schemas. */
export const PATCHES_PER_PAGE = 20
