import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answered, Candidate } from '../support/candidate.ts'
import { forbidden } from '../support/subject.ts'
import { decideSource, quoted } from './rules.ts'

/**
 * One Bash hook with all rules in it, of builtins alone: it starts no program and does not even parse the JSON, which is
 * the least that any hook in Bash can take.
 */
export function bashHook(rules: number, folder: string): Candidate {
  const cases = Array.from(
    { length: rules },
    (_, rule) => `case $event in *${quoted(forbidden(rule))}*) decision=deny ;; esac`,
  )
  const script = `IFS= read -r -d '' event\ndecision=abstain\n${cases.join('\n')}\nprintf '%s' "$decision"\n`
  return spawning('Bash hook, spawned', 'bash', join(folder, `hook-${rules}.sh`), script)
}

/** One Node hook with all rules in it and no imports but `node:fs`. */
export function nodeHook(rules: number, folder: string): Candidate {
  const script = `process.stdout.write(${decideSource(rules)}(require('node:fs').readFileSync(0, 'utf8')))\n`
  return spawning('Node hook, spawned', process.execPath, join(folder, `hook-${rules}.cjs`), script)
}

function spawning(name: string, program: string, file: string, script: string): Candidate {
  writeFileSync(file, script)
  return { name, kind: 'spawned', decide: ({ json }) => runHook(program, file, json), close() {} }
}

function runHook(program: string, file: string, json: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stdin.on('error', () => {})
    child.stdin.end(json)
    child.on('error', reject)
    child.on('close', () => {
      if (stdout === 'deny' || stdout === 'abstain') resolve(stdout)
      else reject(new Error(`\`${file}\` says \`${stdout}\``))
    })
  })
}
