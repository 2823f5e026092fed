/** Returns the name of a folder: the last part of its path. */
export const folderName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path
