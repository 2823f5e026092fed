import { codeLimits } from '../../../model/limits.ts'

/** Folders of a user that Windows knows by a name, from the home directory on. */
const folders = {
  applicationdata: '/AppData/Roaming',
  localapplicationdata: '/AppData/Local',
  startup: '/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup',
  desktop: '/Desktop',
  desktopdirectory: '/Desktop',
  mydocuments: '/Documents',
  personal: '/Documents',
} as const
const isFolder = (name: string): name is keyof typeof folders => Object.hasOwn(folders, name)

/** Returns the folder that a variable of Windows' environment names, where its value is not known. */
export function folderOfVariable(name: string, home: string): string | undefined {
  switch (name.toUpperCase()) {
    case 'APPDATA':
      return home + folders.applicationdata
    case 'LOCALAPPDATA':
      return home + folders.localapplicationdata
    case 'PROGRAMDATA':
    case 'ALLUSERSPROFILE':
      return 'C:/ProgramData'
    default:
      return undefined
  }
}

/**
 * Writes in PowerShell's plain words what it says by .NET's means: a variable of the environment that a method sets, the
 * user's folders by their names, and a process that is described by properties before it is started.
 */
export function writtenOut(source: string): string {
  const plain = source
    .replaceAll(folderCalls, (written, name: string) => {
      const key = name.toLowerCase()
      return isFolder(key) ? `"$HOME${folders[key]}"` : written
    })
    .replaceAll(variableCalls, (_, name: string, value: string, kept: string | undefined) =>
      /\b(?:user|machine)\b|^[12]$/i.test(kept ?? '') ? `setx ${name} ${value}` : `$env:${name} = ${value}`,
    )
  return described.test(plain) ? withStarts(plain) : plain
}

const folderCalls =
  /\[(?:System\.)?Environment\]::GetFolderPath\(\s*(?:["']|\[(?:System\.)?Environment\+SpecialFolder\]::)(\w{1,32})["']?\s*\)/gi
const variableCalls =
  /\[(?:System\.)?Environment\]::SetEnvironmentVariable\(\s*["'](\w{1,64})["']\s*,\s*([^,()\n]{1,1000}?)\s*(?:,\s*([^()\n]{1,80}?)\s*)?\)/gi
const described = /\bProcessStartInfo\b|\.StartInfo\b/i

/** Keeps each property of a described process in a variable, and starts the process of them at the end. */
function withStarts(source: string): string {
  const parts = new Map<string, string[]>()
  const keep = (owner: string, part: string) => {
    const all = parts.get(owner) ?? []
    const name = `$${owner}:${part}${all.length}`
    if (all.length < codeLimits.itemsMax) parts.set(owner, part === 'file' ? [name, ...all] : [...all, name])
    return `${name} =`
  }
  const text = source
    .replaceAll(property, (_, owner: string, name: string) => keep(owner, partOf(name)))
    .replaceAll(addedWord, (_, owner: string, word: string) => `${keep(owner, 'words')} ${word}`)
  const entries = [...source.matchAll(entry)].map(
    ([, name = '', value = '']) => `\n${keep('described', partOf(name))} ${value}`,
  )
  const starts = [...parts].map(([owner, names]) => {
    const whole = names.some((name) => name.includes(':file')) ? names : [`$${owner}`, ...names]
    return `\n[Diagnostics.Process]::Start(${whole.join(', ')})`
  })
  return text + entries.join('') + starts.join('')
}

const partOf = (property: string) => (/^filename$/i.test(property) ? 'file' : 'words')
const property = /\$(\w{1,64})(?:\.StartInfo)?\.(FileName|Arguments)\s{0,8}=(?!=)/gi
/** In a list of properties: `@{ FileName = 'x'; Arguments = $y }`. */
const entry = /(?<=[{;\n]\s{0,8})(FileName|Arguments)\s{0,8}=\s{0,8}("[^"\n]{0,1000}"|'[^'\n]{0,1000}'|\$[\w:]{1,64})/gi
const addedWord = /\$(\w{1,64})(?:\.StartInfo)?\.ArgumentList\.Add\(([^()\n]{1,1000})\)/gi
