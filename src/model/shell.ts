/**
 * Facts about what a shell command would do, found by static analysis. Policies judge them instead of the text. Made by
 * `facts/shell`, `facts/programs` and `facts/paths`; plain data, since it is sent into the sandbox as JSON.
 */

import type { RequestForm, ShellTrait } from './shell-traits.ts'
import type { ShellNetwork } from './shell-network.ts'
import type { ChosenBy } from './shell-processes.ts'

/** Placeholder in a word's value for an unknown part. No command contains it: it is a Unicode noncharacter. */
export const unknownPart = '\uFDD0'

/** A word after the shell's expansions, as far as static analysis can resolve them. */
export interface ShellWord {
  /** Quotes removed, `~`, literal variables and braces expanded; `unknownPart` for every part that is not known. */
  readonly value: string
  /** Set if a part is not known. The value then contains `unknownPart`. */
  readonly unresolved?: true
  /** Set if it may expand to no word or to several: an unquoted variable, `"$@"`, split output. */
  readonly several?: true
  /** The value as a pathname pattern in glob syntax, quoted characters escaped by `\`. Absent if nothing is globbed. */
  readonly pattern?: string
  /** Name of the one unknown variable in the value (`"$TARGET"` has `TARGET`). */
  readonly variable?: string
  /**
   * Names of the unknown variables in the value, if there are several (`"$USER:$TOKEN"`) or one has an unknown name, in
   * whose place is `unknownPart` (`${!v}`).
   */
  readonly variables?: readonly string[]
  /** Indices of the commands whose output the unknown part comes from: in `rm $(find src)`, that of `find`. */
  readonly from?: readonly number[]
}

/** An entirely unknown word. */
export const unknownWord: ShellWord = { value: unknownPart, unresolved: true }

export interface ShellAssignment {
  readonly name: string
  readonly value: ShellWord
}

/** A redirection, its descriptor resolved: what `>&3` writes to is what descriptor 3 was opened on. */
export interface ShellRedirection {
  readonly operator: '<' | '>' | '>>' | '<>' | '<<' | '<<<'
  readonly descriptor: number
  /** The file; for `<<` and `<<<` the text itself. Absent if closed or merged with another command's output. */
  readonly target?: ShellWord
}

/** A construct through which a command is reached, listed from the outside in. */
export type ShellReach =
  | { readonly through: 'subshell' | 'pipeline' | 'background' | 'coproc' }
  | { readonly through: 'condition' | 'case' }
  /** `over`: what the variable of a `for` is in this round, unless that is one known word. */
  | { readonly through: 'loop'; readonly over?: ShellWord }
  | { readonly through: 'function' | 'alias'; readonly name: string }
  /** `$(…)`, backticks, `<(…)`, `>(…)`, in any word or arithmetic. */
  | { readonly through: 'substitution' }
  /**
   * A program that starts another: `sudo`, `xargs`, `find -exec`, `bash -c`, `ssh`, a git alias. `connected`: what is started
   * has a connection of the program for its input and output, as by `nc -e`. `given`: its words come from the program's
   * stdin, as by `xargs`.
   */
  | { readonly through: 'wrapper'; readonly program: string; readonly connected?: true; readonly given?: true }
  /** Code of another language that starts a process: `python -c`. */
  | { readonly through: 'code'; readonly language: CodeLanguage }
  | { readonly through: 'trap' | 'eval' }

export type CodeLanguage =
  | 'shell'
  | 'python'
  | 'javascript'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'lua'
  | 'r'
  | 'julia'
  | 'powershell'
  | 'cmd'
  | 'awk'
  | 'sql'

/** Inline code that a command runs, in any language. */
export interface ShellCode {
  readonly language: CodeLanguage
  /** The code; absent if it cannot be determined. */
  readonly text?: string
  /** Set if it stands there in a form that nobody can read: `powershell -EncodedCommand`. */
  readonly encoded?: true
  /**
   * Effects recognised in the code, only obvious ones. Deletions, reads and writes are in `ShellCommand.paths`. `empties`: it
   * opens a file anew or writes an empty text; `deletes`: a shell's deletion of everything in a folder stands in it.
   */
  readonly does: readonly ('starts' | 'network' | 'decodes' | 'evaluates' | 'empties' | 'deletes')[]
}

/** A variable of the environment that inline code sends in a request. */
export interface ShellSent {
  /** Absent if it is all of them. */
  readonly variable?: string
  /** Where it goes, as far as the request says. */
  readonly host?: string
  /** Whether it is in what is sent, or in a header to log in with. */
  readonly as: 'data' | 'login'
}

export type PathAccess = 'read' | 'write' | 'delete' | 'execute'

/** What becomes of a path, beyond what its access says. */
export const pathChanges = [
  /** Deleted here, and there under another name: by `mv`. */
  'moved',
  /** Nothing can recover what was in it: by `shred`. */
  'wiped',
  /** Nothing, or noise, takes the place of what was in it: by `cp /dev/null`. */
  'emptied',
  /** Cut off, or filled up, to a size: by `truncate`. */
  'resized',
  /** The program may ask a person before it deletes it: by `rm` without `-f`. */
  'asked',
  /** An empty folder that is made: by `mkdir`. */
  'made',
  /** Made empty if it is not there, and else as it was: by `touch`. */
  'touched',
  /** Who may use it changes: by `chmod`, `chown`. */
  'rights',
  /** It gets one more name: by `ln`. */
  'linked',
  /** Changed by the program that keeps its versions: by `git rm`. */
  'versioned',
] as const
export type PathChange = (typeof pathChanges)[number]

/**
 * What a new mode means: everybody may write; it runs as its owner; it may be run, and no more; it may no longer be run;
 * others may do less, and nobody more.
 */
export type PathRight = 'all-write' | 'as-owner' | 'runs' | 'runs-not' | 'others-lose'

/** A file or folder that a tool or a command touches. */
export interface TouchedPath {
  /** As in the tool's input or the command, with the word's expansions. */
  readonly written: string
  readonly access: PathAccess
  /** Set if everything below it is touched as well. */
  readonly recursive?: true
  /** Set if only metadata is touched: mode, owner or times (`write`), name or attributes (`read`). */
  readonly metadata?: true
  /** Set if nothing that is read is shown: a key to log in with, a file of variables for a program. */
  readonly sealed?: true
  readonly change?: PathChange
  /** Of a path whose rights change: what its mode is known to mean from then on. */
  readonly rights?: readonly PathRight[]
  /** Absolute and normalised. Absent if the word or the working directory is unknown. */
  readonly absolute?: string
  /**
   * With symbolic links resolved, as far as the path exists, and with names in ASCII that only look so (`.ѕsh` with a
   * Cyrillic letter). Set only if it differs from `absolute`.
   */
  readonly real?: string
  /**
   * The workspace root that contains it, after resolving links. Absent if none does. A root that is the home directory, or
   * holds it, is no project's and does not count.
   */
  readonly root?: string
  /** Relative to that root, `''` for the root itself. */
  readonly inRoot?: string
  /** Relative to the home directory, `''` for that directory itself. Absent if outside of it. */
  readonly inHome?: string
  /** Set if a part is unknown. `absolute` is then its known ancestor, from which no `..` leads out. */
  readonly unresolved?: true
  /** The absolute pattern in glob syntax, if the word is one. `absolute` is then the folder with all matches. */
  readonly pattern?: string
  /**
   * Indices of the commands that name it: its unknown part is their output. `absolute` is then a folder below which
   * everything lies that they name; it is absent if they may name any path.
   */
  readonly from?: readonly number[]
  /** Set if the command names it otherwise, by a bind of its `view`; all other fields but `written` are of this machine. */
  readonly bound?: true
}

/** A folder that a command finds under another name: `docker run -v HERE:THERE`. */
export interface ShellBind {
  /** Absolute, on this machine. Absent for a volume, which is no folder of it that has a name. */
  readonly here?: string
  /** Absolute, as the command names it. */
  readonly there: string
}

/** The file system that a command sees. Of two binds, the one with the longer name there counts, or else the later one. */
export interface ShellView {
  /** Its working directory, as it names that itself. */
  readonly cwd?: string
  readonly binds: readonly ShellBind[]
}

/**
 * An option's full name, the index of the word that holds its value, and the offset of the value in that word; then
 * whether that turns the option off, or may do so.
 */
export type PlacedOption = readonly [name: string, word?: number, offset?: number, state?: 'off' | 'unsure']

/** A command's arguments as its program's options say: which are options, values and operands. `lineOf` reads it. */
export interface ShellLine {
  /** The words of the subcommand, if the options of that are known: `push`, `container exec`. */
  readonly subcommand?: string
  /** Set if it is known of the program's subcommands in general only which options take a value. */
  readonly isGeneral?: true
  /** Index of the first word behind the subcommand: 0 without one. */
  readonly start: number
  /** Options before the subcommand. */
  readonly globals?: readonly PlacedOption[]
  /** Options behind the subcommand; all of them without one. */
  readonly options: readonly PlacedOption[]
  /** Options among these that have several names, as the names of each: `m message`. */
  readonly same?: readonly string[]
  readonly globalsSame?: readonly string[]
  /** Indices among `options`: those whose value a request sends along, and those that it logs in with. */
  readonly data?: readonly number[]
  readonly login?: readonly number[]
  /** Indices of the operands. */
  readonly operands: readonly number[]
  /** Set if an unresolved word may be an option, or several. */
  readonly uncertain?: true
  /** The words that the indices are of, where the program takes its arguments for others: `tar -c -f x` for `tar cf x`. */
  readonly words?: readonly ShellWord[]
}

/** Why a command is not known to only look. */
export interface HarmDoubt {
  /** In words: "`rm` is not known to be read-only when called like this". */
  readonly why: string
  /** Set if nothing else speaks against it than that its program is not known to only look when it is called so. */
  readonly byCall?: true
}

/** A container that a command runs in. */
export interface ShellContainer {
  /** It is gone as soon as the command has ended: `docker run --rm`. */
  readonly passing?: true
  /** It has more of this machine than the folders that the command finds in its `view`: `--privileged`. */
  readonly open?: true
}

/** What a command looks for or lists, as far as its words say: a search, or a list of a folder. */
export interface ShellSearch {
  /**
   * Files and folders at any depth: `find`. Only files: `git ls-files`. The entries of a folder: `ls`. Paths of the whole
   * machine: `locate`. Lines of files: `grep --include`.
   */
  readonly finds: 'all' | 'files' | 'entries' | 'indexed' | 'lines'
  /** The names and patterns that it looks for. Where there are none, it finds any name. */
  readonly names: readonly string[]
  /** Set if it finds others besides these names: behind an `-o`, or before its tests of names. */
  readonly andOthers?: true
  /** Set if it looks at names or paths, though it may find others as well: `! -name a`. */
  readonly looksAtNames?: true
  /** Another test, which leaves most files out: `-newer marker`. */
  readonly narrowed?: string
  /** Set if it finds only empty folders, or links: what links lead to stays. */
  readonly onlyEmpty?: true
  /** Set if it finds only files that are older than an age. */
  readonly onlyOld?: true
}

/**
 * Where commands will run that a call does not run itself: on this machine, by a program that nobody asks to (`machine`)
 * or by a person who names them (`recipe`), in continuous integration (`ci`), in a container, or by another agent whose
 * prompt asks for them (`prompt`).
 */
export const commandPlaces = ['machine', 'recipe', 'ci', 'container', 'prompt'] as const

/** Where a command will run that a call only writes, or tells another agent to run. */
export interface RunLater {
  readonly place: (typeof commandPlaces)[number]
  /** The file that it is written into, as in the path of a `TextChange`. */
  readonly file?: string
}

/** One way in which a command says which processes it means. */
export interface ChosenProcess {
  readonly by: ChosenBy
  readonly word: ShellWord
}

/** Running processes that a command ends, hinders or looks for. */
export interface ShellProcesses {
  readonly chosen: readonly ChosenProcess[]
  /** It ends or hinders them. Absent for a command that only looks for them. */
  readonly ends?: true
}

/** One simple command that would run. */
export interface ShellCommand {
  /** Set if the call itself does not run it. */
  readonly later?: RunLater
  /** The program's basename in lower case, without `.exe`; `''` if there is none or it is unknown. */
  readonly program: string
  /** The program's word. Absent for a command that consists only of assignments and redirections. */
  readonly written?: ShellWord
  /** What holds of its program, whatever its words are. Absent where nothing is known of it. */
  readonly traits?: readonly ShellTrait[]
  /** Set for a client of HTTP: how its words say what it asks for. */
  readonly request?: RequestForm
  /** Running processes that it ends, hinders or looks for. */
  readonly processes?: ShellProcesses
  /** Its words behind the program, options and operands alike. */
  readonly args: readonly ShellWord[]
  /** Its arguments as options and operands. Absent if the options of its program are not known. */
  readonly line?: ShellLine
  /** Assignments before the program, visible only to it; without a program, those of the shell itself. */
  readonly assignments: readonly ShellAssignment[]
  /** Variables that commands before it or around it have exported to it: `A` in `export A=b; make`. Absent where there are none. */
  readonly exported?: readonly ShellAssignment[]
  /** Its files for stdin, stdout and stderr: `> file`, `2>&1`. */
  readonly redirections: readonly ShellRedirection[]
  /** Absolute working directory; absent if unknown or on another machine. */
  readonly cwd?: string
  /** What is known of a working directory that is not known whole: `…/.git` behind `cd "$(git rev-parse --git-dir)"`. */
  readonly folder?: ShellWord
  /** Set if it runs on another machine or in a container: its paths are not local, but for those that are `bound`. */
  readonly elsewhere?: true
  /** Set if it runs in a container, which is `elsewhere`. Absent where it has left that again: `nsenter`, `chroot`, `ssh`. */
  readonly container?: ShellContainer
  /** Set if it runs with folders of this machine under other names: in a container with mounts, or in another root. */
  readonly view?: ShellView
  /** The user it runs as, if not the caller: `root` for plain `sudo`. */
  readonly user?: string
  /** The constructs around it, from the outside in: a pipe, a branch, a loop, a function. */
  readonly reach: readonly ShellReach[]
  /** Index of the command that starts it: the wrapper, the interpreter, or the one with it in an argument. */
  readonly startedBy?: number
  /** Set if it only starts other commands, which are listed after it: `sudo`, `env`, `xargs`. */
  readonly wrapper?: true
  /** Its stdin: a heredoc, a pipe, a file that the same text has written. Absent for any other file, which is in `redirections`. */
  readonly stdin?: ShellWord
  /** Set if it runs the file that its stdin comes from, as code of this language: `bash < script.sh`. */
  readonly fed?: CodeLanguage
  /** Set if it would run what is typed into it, as code of this language, since the call gives it nothing to run: `bash -i`. */
  readonly typed?: CodeLanguage | 'other'
  /** Code that it runs, from the command line, stdin, or a heredoc. */
  readonly code?: ShellCode
  /** The files and folders that it touches, and how. */
  readonly paths: readonly TouchedPath[]
  /** What it looks for, or lists. Absent for all others. */
  readonly search?: ShellSearch
  /** The text that it writes into files, by `>` or as `tee`: whole, or with `unknownPart` in it. Absent where nothing is known of it. */
  readonly writes?: string
  /** Its use of the network. Absent where there is none. */
  readonly network?: ShellNetwork
  /** The variables that its code sends in requests. Absent where none is seen. */
  readonly sends?: readonly ShellSent[]
  /** What it puts out. Absent where nothing is known of it. */
  readonly output?: ShellOutput
  /** What it picks from what it reads. */
  readonly filter?: ShellFilter
  /** Set if its words say where and as whom it logs in, and it shows neither: a client of a database. */
  readonly logsIn?: true
  /** Set if nothing that it reads is shown as it is: it encrypts it, decrypts it, or logs in with it, as `gpg` does. */
  readonly sealed?: true
  /** Set for a request that also prints what it sends, headers and all: `curl -v`. */
  readonly echoes?: true
  /** Set if a file or stdin lists the files that it works on: `rsync --files-from`, `zip -@`. */
  readonly listed?: true
  /**
   * Whether a program that keeps or sends texts for others does so here: a commit, a comment, a post. Absent for all
   * other programs.
   */
  readonly message?: boolean
  /** Indices of earlier commands that have written a file, or pipe it a text, whose orders it follows: `git apply a.patch`. */
  readonly obeys?: readonly number[]
  /** Set if what it writes is no text of this call: it copies, moves or touches files, or a repository has them. */
  readonly copies?: true
  /** Descriptions of what is unknown about it. Empty if everything that matters is known. */
  readonly uncertain: readonly string[]
  /** `true` if it is known to only look, else why not. Absent where no policy's `interest` asks for it. */
  readonly harmless?: true | HarmDoubt
  /** Position of its source in the command's text: UTF-16 offsets, the end exclusive. */
  readonly place: { readonly start: number; readonly end: number }
}

/** Returns the paths of a command that are of this machine. */
export const pathsHere = ({ elsewhere, paths }: ShellCommand): readonly TouchedPath[] =>
  elsewhere === true ? paths.filter(({ bound }) => bound === true) : paths

/** What a program puts out: on stdout, of what it reads, unless the value says otherwise. */
export const shellOutputs = [
  /** The words that it is given: `echo`. */
  'words',
  /** Whole lines, all of them or a number: `cat`, `head`, `sort`. */
  'lines',
  /** Everything, in another form: `base64`, `nl`. */
  'form',
  /** Everything, in plain: nobody could read it before. `base64 -d`, `openssl enc -d`. */
  'decoded',
  /** Everything, in plain: it was only compressed, or its letters were others. `zcat`, `rev`, `tr`. */
  'unpacked',
  /** Whole lines that match: `grep`. */
  'matches',
  /** What its script or its options say: `jq`, `sed`, `cut`, an interpreter. */
  'parts',
  /** None of it: what a shell needs for a program, as its manual tells everybody to run it: `ssh-agent -s`, `pyenv init -`. */
  'setup',
  /** Nothing of the content: how many lines, whether there are any, or in which files: `wc -l`, `grep -q`. */
  'counts',
  /** Of a key, what others may know: `ssh-keygen -y`. */
  'public',
  /** Everything, in other files: `cp`, `split`. */
  'files',
  /** Nothing: it gives files another name, as `mv` and `ln` do. */
  'names',
  /** Files that it packs into one: `tar -c`, `zip`. */
  'archive',
  /** A whole repository, or its history, packed into one: `git archive`, `git bundle`. */
  'repository',
  /** What is in files of a repository, now or before: `git show`, `git diff`. */
  'history',
  /** What a database holds: `pg_dump`, `psql -c 'select …'`. */
  'rows',
  /** A random value, which it makes: `uuidgen`, `openssl rand`. */
  'random',
  /** The name of a file that it makes for a while: `mktemp`. */
  'temporary',
  /** Nothing: it keeps what it is given in variables: `export`, `source`. */
  'kept',
  /** The variables of the environment: `env`, `printenv`. */
  'variables',
  /** Each command that a shell runs, with its words: `set -x`, `bash -v`. */
  'traces',
] as const
export type ShellOutput = (typeof shellOutputs)[number]

/** What a filter picks from what it reads. Absent where an option of it is not one of the usual ones, or a word is unknown. */
export interface ShellFilter {
  /**
   * How it is told: by a pattern (`grep`), by fields or characters (`cut`), by a script that edits lines (`sed`, `perl -pe`),
   * by rules (`awk`), or by a query of JSON (`jq`).
   */
  readonly by: 'pattern' | 'fields' | 'characters' | 'edits' | 'rules' | 'query'
  /** The pattern, the list of fields, the script, the query; `''` for fields that are not known. */
  readonly text: string
  /** The sign between fields: `=`. */
  readonly separator?: string
  /** The pattern, or those in the script, are in extended syntax. */
  readonly extended?: true
  /** Of each line, it puts out only what matches, or what the script prints: `grep -o`, `sed -n`. */
  readonly only?: true
}

/** A data flow from one command to another. */
export interface ShellFlow {
  /** Indices of commands. */
  readonly from: number
  readonly to: number
  readonly via: 'pipe' | 'file' | 'argument' | 'variable' | 'descriptor'
  /** `code` if the receiver executes the data. */
  readonly as: 'data' | 'code'
}

/** Everything that the text of a shell command would run. */
export interface ShellFacts {
  /** In source order; a wrapper comes before the commands it starts. */
  readonly commands: readonly ShellCommand[]
  readonly flows: readonly ShellFlow[]
  /** Uncertainties about the whole text: a syntax error, code of unknown text, an exceeded limit. */
  readonly uncertain: readonly string[]
  /** Set for a function that starts itself twice or in the background, or an endless loop that starts processes. */
  readonly forkBomb?: true
  /**
   * `true` if nothing in the text as a whole speaks against that its commands only look, else what does. Absent where no
   * policy's `interest` asks for it.
   */
  readonly harmless?: true | string
}

/** The surroundings that the facts of a command are relative to. */
export interface ShellSurroundings {
  /** Absolute. */
  readonly cwd: string
  readonly home?: string
  readonly workspaceRoots: readonly string[]
  /** Known variables, in addition to `HOME` and `PWD`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The contents of files that were read for the analysis, by absolute path. */
  readonly files?: ReadonlyMap<string, string>
}
