/** Where what opens above the page belongs: a screen reader that goes by landmarks finds it there. */
export const popupContainer = (): HTMLElement | null => document.getElementById("main")
