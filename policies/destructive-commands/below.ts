/** Paths right below a folder, of names with blanks between. */
export const below = (folder: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${folder}/${name}`)
