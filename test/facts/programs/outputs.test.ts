import { describe, expect, it } from 'vitest'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'

const outputOf = (text: string) => shellFacts(text, { cwd: '/w', workspaceRoots: ['/w'] }).commands[0]?.output

describe('what a command puts out', () => {
  it.each([
    ['rg -l TOKEN src', 'counts'],
    ['grep --count a b', 'counts'],
    ['ack --count a', 'counts'],
    ['diff -q a b', 'counts'],
    ['git grep -l a', 'counts'],
    ['git show --stat HEAD', 'counts'],
    ['git log a.ts', 'counts'],
    ['git cat-file -t HEAD', 'counts'],
    // The pattern is `-c`, and a text that is not known may be `-e`.
    ['grep -e -c a', 'matches'],
    ['grep $X -c a', 'matches'],
    ['rg -L a src', 'matches'],
    ['git log -p a.ts', 'history'],
    ['git show --stat -p', 'history'],
    ['git -C sub diff', 'history'],
    ['git bundle create a.bundle --all', 'repository'],
    ['git bundle verify a.bundle', undefined],
    ['tar xf a.tgz', undefined],
    ['tar czf a.tgz src', 'archive'],
    ['tar xOf a.tgz', 'unpacked'],
    ['7z x a.7z', undefined],
    ['7z a a.7z src', 'archive'],
    ['cpio -i', undefined],
    ['cpio -o', 'archive'],
    ['pg_dumpall', 'rows'],
    ['pg_dump -d shop', 'rows'],
    ['pg_dump --schema-only shop', undefined],
    ['mysqldump -d shop', undefined],
    ['pgcli -h db -c "select 1"', 'rows'],
    ['mycli -e "show tables"', 'rows'],
    ['psql -c "vacuum"', undefined],
    ['clickhouse client --query "select 1"', 'rows'],
    ['openssl rand -hex 8', 'random'],
    ['openssl rsa -in a.pem -pubout', 'public'],
    ['openssl rsa -in a.pem -pubout -text', 'parts'],
    ['ssh-keygen -yf id', 'public'],
    ['ssh-keygen -t ed25519', undefined],
    ['gmktemp', 'temporary'],
  ])('%s: %s', (text, output) => {
    expect(outputOf(text)).toBe(output)
  })
})
