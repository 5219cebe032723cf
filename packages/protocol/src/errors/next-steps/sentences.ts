/** One sentence for each surface: HTTP, an agent's tools, the `pdpp` command, and the owner's pages. */
export interface NextSteps {
  readonly rest: string
  readonly tool: string
  /** `{connect}` stands for the command that asks for access. The command line inserts it. */
  readonly command: string
  readonly console: string
}

export const UPDATE = {
  tool: 'The owner has to update the server or this adapter.',
  command: 'Update the server or `pdpp`.',
}

export const FIRST_PAGE: NextSteps = {
  rest: 'Send the first page again without the cursor.',
  tool: 'Make the same call again without cursor.',
  command: 'Run the command again without --cursor.',
  console: 'Open the list again from its first page.',
}

/** The same sentence on every surface. It must name no route, no tool and no flag. */
export const everywhere = (sentence: string): NextSteps => ({
  rest: sentence,
  tool: sentence,
  command: sentence,
  console: sentence,
})
