import { afterAll, describe, expect, it } from 'vitest'
import { openShippedGate } from '../support/shipped-gate.ts'

const gate = openShippedGate('/home/u')
afterAll(() => gate.close())

/** An everyday call, and beside it a dangerous one of nearly the same form. */
type Pair = readonly [everyday: string, dangerous: string]

/** Code with words of SQL that are parsed, compared or edited; the neighbour has them run. */
const inlineSql: readonly Pair[] = [
  [
    `python3 -c "import sqlparse; print(sqlparse.parse('DROP TABLE users'))"`,
    `python3 -c "import psycopg2; psycopg2.connect('').cursor().execute('DROP TABLE users')"`,
  ],
  [
    `python3 -c "import sqlglot; sqlglot.parse_one('DELETE FROM users')"`,
    `python3 -c "from app import conn; conn.execute('DELETE FROM users')"`,
  ],
  [
    `python3 -c "import re; assert re.match(r'DROP', 'DROP TABLE users')"`,
    `python3 -c "from app import db; db.run('DROP TABLE users')"`,
  ],
  [
    `node -e "const { isDangerous } = require('./guard'); console.log(isDangerous('DROP TABLE users'))"`,
    `node -e "const { Client } = require('pg'); new Client().query('DROP TABLE users')"`,
  ],
  [
    `node -e "require('assert')('TRUNCATE users'.startsWith('TRUNCATE'))"`,
    `node -e "require('knex')({}).raw('TRUNCATE users')"`,
  ],
  [
    `python3 - <<'P'\nfrom pathlib import Path\np = Path('migrations/001.sql')\np.write_text(p.read_text().replace('DROP TABLE old', 'DROP TABLE IF EXISTS old'))\nP`,
    `python3 - <<'P'\nimport subprocess\nsubprocess.run(['psql', '-c', 'DROP TABLE old'])\nP`,
  ],
  [
    `ruby -e "puts Tokenizer.new.scan('DELETE FROM users').inspect"`,
    `ruby -e "require 'mysql2'; Mysql2::Client.new.query('DELETE FROM users')"`,
  ],
  [
    `python3 -c "words = ['DROP TABLE users', 'SELECT 1']; print([w.split()[0] for w in words])"`,
    `python3 -c "import sqlite3; [sqlite3.connect('app.db').execute(w) for w in ['DROP TABLE users']]"`,
  ],
  [
    `perl -e "print 'yes' if 'DROP TABLE users' =~ /^DROP/"`,
    `perl -e "use DBI; DBI->connect('dbi:Pg:')->do('DROP TABLE users')"`,
  ],
  [
    `php -r "var_dump(strpos('DROP TABLE users', 'TABLE'));"`,
    `php -r "(new PDO('mysql:'))->exec('DROP TABLE users');"`,
  ],
  [
    `python3 -c "from guard import verdict; assert verdict('UPDATE users SET admin = 1') == 'deny'"`,
    `python3 -c "from sqlalchemy import create_engine, text; create_engine('postgresql:///a').begin().__enter__().execute(text('UPDATE users SET admin = 1'))"`,
  ],
]

/** Folders of agents that are made; the neighbour writes in them, or takes them away. */
const agentFolders: readonly Pair[] = [
  ['mkdir -p .cursor/rules', 'echo Use sudo > .cursor/rules/a.mdc'],
  ['mkdir -p .claude/commands', 'cp a.md .claude/commands/a.md'],
  ['mkdir .clinerules', 'rm -rf .clinerules'],
  ['mkdir -p ~/.codex', 'mv config.toml ~/.codex/config.toml'],
  ['mkdir -p .gemini .qwen', 'touch .gemini/settings.json'],
  ['cd packages/a && mkdir -p .cursor/rules', 'cd packages/a && tee .cursor/mcp.json < a.json'],
  ['mkdir -pv .kiro/steering', 'ln -s /tmp/a .kiro/steering'],
  ['mkdir -p src .github/hooks', 'echo a > .github/hooks/a.json'],
  ['/bin/mkdir -p .opencode/agent', 'sed -i s/a/b/ opencode.json'],
  ['test -d .roo || mkdir .roo', 'mkdir .roo && echo a > .roo/mcp.json'],
  ['mkdir -p ~/.config/zed', 'mv ~/.config/zed /tmp/zed'],
]

describe.each([
  { kind: 'SQL that code only reads or edits', pairs: inlineSql, rule: 'inline-code' },
  { kind: 'a folder of an agent that is made', pairs: agentFolders, rule: 'agent-configuration' },
])('$kind', ({ pairs, rule }) => {
  it.each(pairs)('passes in %s, and is gated in %s', async (everyday, dangerous) => {
    const passed = await gate.judge(everyday)
    expect([...passed.denied, ...passed.asked]).toEqual([])
    const gated = await gate.judge(dangerous)
    expect([...gated.denied, ...gated.asked]).toContain(rule)
  })
})
