/** Splits a tool's name at underscores, hyphens and capitals. */
export const toolWords = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
