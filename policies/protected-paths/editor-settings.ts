import type { TextChange } from 'hookgate/policy'

/** An editor's settings for a project: most say how code looks, some what runs or what an agent may do unasked. */
const file = /(?:^|\/)\.vscode\/settings\.json$/i

/** Settings that run nothing, load nothing and permit nothing, whatever their values. */
const ordinary =
  /^(?:(?:editor|search|explorer|emmet|css|less|scss)\.[\w.]+|cSpell\.(?:words|userWords|ignoreWords|ignorePaths|enabled|language)|(?:\[[\w-]+\]){1,9}|source\.(?:organizeImports|fixAll)(?:\.\w+)*|files\.(?:eol|encoding|autoSave|insertFinalNewline|trimFinalNewlines|trimTrailingWhitespace|exclude|watcherExclude|associations)|workbench\.(?:colorTheme|iconTheme)|prettier\.(?:semi|singleQuote|tabWidth|useTabs|printWidth|trailingComma|requireConfig)|eslint\.(?:enable|validate|format\.enable|useFlatConfig)|(?:typescript|javascript)\.(?:preferences|format|suggest|inlayHints|updateImportsOnFileMove)\.[\w.]+|python\.(?:analysis\.(?:typeCheckingMode|diagnosticMode|autoImportCompletions|extraPaths)|linting\.(?:enabled|\w+Enabled)|formatting\.provider|terminal\.activate\w+|testing\.(?:pytestEnabled|unittestEnabled|pytestArgs|autoTestDiscoverOnSaveEnabled)))$/

/** The project's own interpreter and compiler, which its commands run as well. */
const own = () =>
  /"python\.defaultInterpreterPath"\s*:\s*"(?:\$\{workspaceFolder\}\/|\.\/)?(?:[\w-]+\/){0,4}\.?venv\/bin\/python3?"|"typescript\.tsdk"\s*:\s*"(?:\.\/)?node_modules\/typescript\/lib"/g
/** Lists and patterns of files, whose key stands before them. */
const nested = () =>
  /("[\w.]{1,60}"\s*:\s*)\[[^[\]{}]*\]|("files\.(?:exclude|watcherExclude|associations)"\s*:\s*)\{[^{}]*\}/g

function isOrdinaryLine(line: string): boolean {
  const text = line.trim()
  if (/^[\s{}\],]*$/.test(text) || text.startsWith('//')) return true
  const keys = [...text.matchAll(/"([^"]*)"\s*:/g)]
  return (
    keys[0]?.index === text.search(/[^\s{}\],]/) &&
    !text.includes('\\') &&
    text.split('"').length % 2 === 1 &&
    keys.every(([, key = '']) => ordinary.test(key))
  )
}

/** True for a change of an editor's settings in a project that says how code looks, and nothing more. */
export const isOrdinaryEditorSetting = (way: string, { removed, added }: TextChange): boolean =>
  file.test(way) &&
  added !== '' &&
  [removed, added].every((text) =>
    text.replace(own(), '').replace(nested(), '$1$2 0').split('\n').every(isOrdinaryLine),
  )
