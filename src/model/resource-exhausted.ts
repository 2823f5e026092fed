/** Tells from a system error's text that the machine has no more processes, descriptors or memory to give. */
export const isResourceExhausted = (error: string): boolean => /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM)\b/.test(error)
