/** All files that a text in the format of `apply_patch` touches, as its parser finds them. */
export function patchPaths(patch: string): readonly string[] {
  return patch.split('\n').flatMap((line) => {
    const path = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.*)$/s.exec(line)?.[1]?.trim() ?? ''
    return path === '' ? [] : [path]
  })
}

/** The patch that puts one text in another's place in a file. Without a text to replace, the file is new. */
export function patchOf(file: string, removed: string | undefined, added: string): string {
  const body =
    removed === undefined
      ? [`*** Add File: ${file}`, ...lines('+', added)]
      : [`*** Update File: ${file}`, '@@', ...lines('-', removed), ...lines('+', added)]
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n')
}

const lines = (sign: string, text: string) => text.split('\n').map((line) => `${sign}${line}`)
