/** Whether the keyboard's key for commands is ⌘. */
export const isCommandKeyboard = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
