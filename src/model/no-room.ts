/** Whether a system's error says that the machine is at its end: no more processes, descriptors or memory. */
export const saysNoRoom = (error: string): boolean => /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM)\b/.test(error)
