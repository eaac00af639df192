import { WaybillError } from "./errors.js";
import type { ImportProgress, ImportResponse } from "./generated/models.js";
import { pause } from "./retry.js";

/** An import ended before each order had a result. Send the orders at the indexes of progress.notDone again. */
export class ImportIncompleteError extends WaybillError {
  override readonly name = "ImportIncompleteError";
  constructor(readonly progress: ImportProgress) {
    super(`import ${progress.importId} ended as ${progress.state} after ${progress.done} of ${progress.total} orders`);
  }
}

export async function waitForImport(
  answer: ImportResponse | ImportProgress,
  read: (id: number) => PromiseLike<ImportProgress>,
  signal: AbortSignal | undefined,
): Promise<ImportResponse> {
  if (!("importId" in answer)) {
    return answer;
  }
  let progress = answer;
  for (let wait = 200; progress.state === "RUNNING"; wait = Math.min(2 * wait, 5000)) {
    await pause(wait, signal);
    progress = await read(progress.importId);
  }
  if (progress.state !== "COMPLETED") {
    throw new ImportIncompleteError(progress);
  }
  return { results: progress.results ?? [] };
}
