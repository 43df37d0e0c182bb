import { runKiroku } from './cli/run'

process.exit(await runKiroku(process.argv.slice(2), process.env))
