/**
 * Opens a dialog from an item of a menu. A menu that closes gives the focus back to its button, and would take it from a dialog that is
 * open by then: keys would go to the page behind the dialog.
 */
export const afterMenu = (open: () => void): void => void requestAnimationFrame(open);
