import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

// The law: what `sed -i` may not edit unasked, no other program may, whether it is given the file or a folder around it.

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

/** Files that a person is asked about, each with the folders around it that go no further than the person's own. */
const places: Readonly<Record<string, readonly string[]>> = {
  '~/.bashrc': ['~', '/home/u'],
  '~/.gitconfig': ['~'],
  '~/.config/fish/config.fish': ['~/.config/fish', '~/.config'],
  '~/.config/systemd/user/a.service': ['~/.config/systemd/user', '~/.config/systemd'],
  '~/.local/bin/a': ['~/.local/bin', '~/.local'],
  '~/.cargo/config.toml': ['~/.cargo'],
  '/etc/hosts': ['/etc', '/'],
  '.claude/settings.json': ['.claude'],
  '~/.claude/settings.json': ['~/.claude'],
  '.vscode/tasks.json': ['.vscode'],
  '.git/hooks/pre-commit': ['.git/hooks', '.git'],
}

/** Programs that edit a file in its place. */
const editors = `
  perl -pi -e 's/a/b/' FILE
  ruby -pi -e 'gsub(/a/,"b")' FILE
  sd a b FILE
  rpl a b FILE
  replace a b -- FILE
  gawk -i inplace '{print}' FILE
  ex -sc '%s/a/b/|x' FILE
  printf 'w\\nq\\n' | ed -s FILE
  sed s/a/b/ FILE | sponge FILE
  yq -i '.a=1' FILE
  tomlq -i -t '.a=1' FILE
  dasel put -f FILE -v 1 a
  crudini --set FILE a b c
  mlr -I --csv cat FILE
  xmlstarlet ed -L -u /a -v b FILE
  comby a b ./FILE -in-place
  ast-grep run -p a -r b -U FILE
  fastmod --accept-all a b FILE
  ambr --no-interactive a b FILE
  ruplacer a b FILE --go
  scooter -X -s a -r b FILE
  srgn -G FILE a -- b
  gsar -sa -rb -o FILE
  prettier --write FILE
  eslint --fix FILE
  biome check --write FILE
  ruff format FILE
  dprint fmt FILE
  gofmt -w FILE
  semgrep --autofix --config r.yml FILE
  codespell -w FILE
  typos -w FILE
  markdownlint --fix FILE
  sqlfluff fix FILE
  some-tool --in-place FILE
  some-fixer FILE
  dos2unix FILE
  patch FILE < a.patch`
  .trim()
  .split(/\n\s*/)

/** Programs that edit all files below a folder. */
const bulkEditors = `
  find FOLDER -type f -exec sed -i 's/a/b/' {} +
  grep -rl a FOLDER | xargs sed -i 's/a/b/'
  rg -l a FOLDER | xargs sd a b
  fd . FOLDER -x sd a b
  find FOLDER -type f | sad -k a b
  fastmod -d FOLDER --accept-all a b
  ast-grep run -p a -r b -U FOLDER
  comby a b .sh -in-place -d FOLDER
  ambr --no-interactive a b FOLDER
  ruplacer a b FOLDER --go
  rpl -R a b FOLDER
  codemod -d FOLDER --accept-all a b
  jscodeshift -t t.js FOLDER
  scooter -X -s a -r b FOLDER
  serpl -p FOLDER
  repren --from a --to b FOLDER
  prettier --write FOLDER
  eslint --fix FOLDER
  ruff check --fix FOLDER
  gofmt -w FOLDER
  shfmt -w FOLDER
  semgrep --autofix --config r.yml FOLDER
  codespell -w FOLDER
  yamlfmt FOLDER
  some-tool --write FOLDER
  cd FOLDER && fastmod --accept-all a b`
  .trim()
  .split(/\n\s*/)

const stops = async (command: string): Promise<readonly string[]> => {
  const { denied, asked } = await gate.judge(command)
  return [...denied, ...asked]
}

/** Returns those of the commands of which no rule says anything. */
async function freeAmong(commands: readonly string[]): Promise<readonly string[]> {
  const judged = await Promise.all(
    commands.map(async (command) => ((await stops(command)).length === 0 ? [command] : [])),
  )
  return judged.flat()
}

const filled = (template: string, place: string): string =>
  template.replaceAll('./FILE', place.startsWith('.') ? `./${place}` : place).replaceAll(/FILE|FOLDER/g, place)

describe.each(Object.entries(places))('%s is not edited unasked', (file, folders) => {
  it('by `sed -i` itself', async () => {
    expect(await stops(`sed -i 's/a/b/' ${file}`)).not.toEqual([])
  })

  it('by another program', async () => {
    expect(await freeAmong(editors.map((one) => filled(one, file)))).toEqual([])
  })

  it.each(folders)('by a program that goes down into %s', async (folder) => {
    expect(await freeAmong(bulkEditors.map((one) => filled(one, folder)))).toEqual([])
  })
})

describe('an edit is free', () => {
  it.each(['src/a.ts', 'docs/a.md', '~/notes.txt', '/tmp/a.txt'])('of %s', async (file) => {
    expect(await freeAmong(editors.map((one) => filled(one, file)))).toHaveLength(editors.length)
  })

  it.each(['.', 'src', '.github', '~/other', '../sibling', '/tmp/a'])('of all files below %s', async (folder) => {
    expect(await freeAmong(bulkEditors.map((one) => filled(one, folder)))).toHaveLength(bulkEditors.length)
  })

  it.each([
    'some-tool --write --check ~/.bashrc',
    'prettier --check ~/.config',
    "find ~ -name '*.md' -exec sed -i 's/a/b/' {} +",
    'cp -r dotfiles/. ~/.config',
    'docker run --rm -v ~/.m2:/root/.m2 maven mvn test',
  ])('where nothing of that kind is meant: %s', async (command) => {
    expect(await stops(command)).toEqual([])
  })
})
