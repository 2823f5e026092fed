import { type Call, has } from '../call.ts'

/** Options with a value that may stand in front of the words of a container's or a cluster's command. */
const valued =
  ' -n --namespace --context --cluster -f --file -p --project-name --profile --env-file --project-directory -H --host -c -C --dir '

/** Programs that start another in an environment or container, by their first words. */
const enters = ` kubectl:exec oc:exec docker:exec podman:exec nerdctl:exec docker:compose:exec podman:compose:exec docker-compose:exec
 podman-compose:exec uv:run poetry:run bundle:exec pnpm:exec rbenv:exec pyenv:exec nodenv:exec conda:run mamba:run micromamba:run `

/** `npx` may fetch a program and run it, unless an option limits it to installed ones. */
const keepsHere = ({ program, args }: Call): boolean =>
  program === 'npx' && /^--no(?:-install)?$/.test(args[0]?.value ?? '') && args[1]?.value.startsWith('-') === false

/** Programs that start another one besides what else they do, in a container or an environment of their own. */
export function isEnter(call: Call): boolean {
  const words = [call.program]
  for (let at = 0; at < call.args.length && words.length < 3; at++) {
    const { value = '', unresolved, several } = call.args[at] ?? {}
    if (unresolved === true || several === true) return false
    if (!value.startsWith('-')) words.push(value)
    else if (has(valued, value)) at++
    else if (!/^(?:-n|--[a-z-]+=)./.test(value)) break
  }
  return has(enters, words.slice(0, 2).join(':')) || has(enters, words.join(':')) || keepsHere(call)
}

/** Python modules that are programs of the same name, and are judged like them. */
const asPrograms =
  ' pip mypy flake8 ruff black isort pylint pyflakes pycodestyle pydocstyle pyright vulture bandit radon yamllint '

/** Python's own modules that print what they are given, without a second file to write. */
const printing = ' json.tool ast dis tokenize platform site sysconfig calendar tabnanny '

/** `python -m`: a module that only reads. Options of Python itself in front of it only take something away. */
export function pythonModule({ args, starts = 0 }: Call, judgeText: (text: string) => boolean): boolean {
  const at = args.findIndex(({ value }) => value === '-m')
  const name = args[at + 1]?.value ?? ''
  const rest = args.slice(at + 2)
  if (at === -1 || !args.slice(0, at).every(({ value }) => /^-[BEIsSuP]+$/.test(value))) return false
  if (starts > 0) return has(asPrograms, name)
  if (rest.some(({ several }) => several === true)) return false
  const words = rest.map(({ value }) => value)
  if (has(asPrograms, name)) return judgeText([name, ...words].join(' '))
  if (name === 'zipfile' || name === 'tarfile') return /^(?:-l|-t|--list|--test)$/.test(words[0] ?? '')
  return (
    has(printing, name) &&
    words.every((word) => word === '--' || !word.startsWith('-') || /^--?[a-z]+(?:-[a-z]+)*(?:=\d+)?$/.test(word)) &&
    words.filter((word) => !/^-./.test(word)).length <= 1
  )
}
