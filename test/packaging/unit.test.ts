import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { optionTable } from '../../src/config'
import { exitCodes } from '../../src/lib/failure'
import { unknownVariables } from '../../src/options/environment'
import { temporaryDirectory } from '../support/kiroku'
import { has, packaged } from './proxy'

const unit = packaged('kiroku.service')
const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

describe('the systemd unit', () => {
  test('does not restart after errors that only a person can fix', () => {
    const { usage, data, config } = exitCodes
    expect(value('RestartPreventExitStatus').split(' ').map(Number)).toEqual([usage, data, config])
  })

  test('sets only variables that are settings', () => {
    const variables = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, text]) => [name, text])
    expect(variables.length).toBeGreaterThan(0)
    expect(unknownVariables(Object.fromEntries(variables), optionTable)).toEqual([])
  })

  test('gives the server more time to stop than it needs', () => {
    expect(Number.parseInt(value('TimeoutStopSec'), 10)).toBeGreaterThan(25)
  })
})

describe.if(has('systemd-analyze'))('systemd-analyze', () => {
  const analyze = (...args: string[]) => {
    using directory = temporaryDirectory()
    const file = directory.file('kiroku.service')
    // Uses the local path, because kiroku is not installed.
    writeFileSync(file, unit.replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`))
    const { exitCode, stdout, stderr } = Bun.spawnSync(['systemd-analyze', ...args, file])
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
  }

  test('finds nothing wrong with the unit', () => {
    expect(analyze('verify', '--man=no')).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test('rates its exposure as low: 1.5 of 10 at most', () => {
    const { exitCode, stdout } = analyze('security', '--offline=true', '--threshold=15')
    console.log(stdout.split('\n').findLast((line) => line.includes('Overall')))
    expect(exitCode).toBe(0)
  })
})
