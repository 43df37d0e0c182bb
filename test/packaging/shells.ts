import { mkdirSync } from 'node:fs'
import { type Directory, output } from '../support/kiroku'

/** For each line, typed and followed by a tab: what its last word can be completed to. */
export type Complete = (directory: Directory, lines: readonly string[]) => Promise<readonly string[][]>

/** A directory with a file and a directory that begin alike, and the three scripts. */
export async function prepareShells(directory: Directory): Promise<void> {
  mkdirSync(directory.file('some-directory'))
  await Bun.write(directory.file('some-file'), '')
  for (const shell of ['bash', 'zsh', 'fish'])
    await Bun.write(directory.file(`kiroku.${shell}`), await output(directory, ['completion', shell]))
}

/** Bash calls the function with the words of the line, also split at `=`. */
const bash: Complete = (directory, lines) => {
  const calls = lines.map((line) => {
    const words = line.split(/ |(?=[=])|(?<==)/)
    return `COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _kiroku; echo "\${COMPREPLY[*]}"`
  })
  // Options are only known for a line that is being completed.
  return listed(directory, [
    'bash',
    '--norc',
    '-c',
    `compopt() { :; }; source kiroku.bash\n${calls.join('\n')}`,
  ])
}

const fish: Complete = (directory, lines) => {
  const calls = lines.map((line) => `echo (complete -C ${quoted(line)} | string replace -r '\\t.*' '')`)
  return listed(directory, ['fish', '--no-config', '-c', `source kiroku.fish\n${calls.join('\n')}`])
}

/** Types the line and the tab into an interactive zsh on a pseudo-terminal, then has it print its line. */
const zsh: Complete = async (directory, lines) => {
  const setUp = `autoload -U compinit; compinit -u -D; source ./kiroku.zsh; PS1=
    tell() { print -rn -- "<\${\${BUFFER% }##* }>"; zle kill-whole-line }; zle -N tell; bindkey '^T' tell`
  await Bun.write(directory.file('.zshrc'), setUp)
  const calls = lines.map((line) => `ask ${quoted(line)}`)
  const driver = `zmodload zsh/zpty; zpty shell zsh -i
    ask() { zpty -w -n shell "$1"$'\\t\\x14'; zpty -r shell said '*<*>'; print -r -- "\${\${said##*<}%>}" }
    ${calls.join('\n')}
    zpty -d shell`
  return await listed(directory, ['zsh', '-f', '-c', driver])
}

export const completes: readonly (readonly [string, Complete])[] = [
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]

async function listed(directory: Directory, command: readonly string[]): Promise<string[][]> {
  const env = { PATH: process.env.PATH ?? '', HOME: directory.path, ZDOTDIR: directory.path, TERM: 'dumb' }
  const child = Bun.spawn([...command], { cwd: directory.path, env, stdout: 'pipe', stderr: 'pipe' })
  const [said, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if (errors !== '') throw new Error(errors)
  return said

    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split(' ').map((word) => word.replace(/[/ ]$/, '')))
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
