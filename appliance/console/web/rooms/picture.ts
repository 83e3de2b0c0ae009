// Pictures on their way in: what may be read is looked at before a byte is sent.
import { bytes, t } from "../text";

// most is the default of picture.max_bytes; the appliance itself has the last word.
export const most = 8 << 20;

// accepted are the kinds of files that the appliance reads.
export const accepted = "image/jpeg,image/png,image/webp,image/bmp,image/tiff,application/pdf,.jpg,.jpeg,.png,.webp,.bmp,.tif,.tiff,.pdf";

// refusal says why a file is not sent, null when it is.
export async function refusal(file: File): Promise<string | null> {
  if (file.size === 0) return t("try.empty");
  if (file.size > most) return t("try.toolarge", { size: bytes(file.size), max: bytes(most) });
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  return known(head) ? null : t("try.notpicture");
}

// known tells by its first bytes whether a file is a picture that the appliance reads. Before the first line of a PDF others may stand.
function known(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head);
  return (
    text.startsWith("\xff\xd8\xff") ||
    text.startsWith("\x89PNG") ||
    (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") ||
    text.startsWith("BM") ||
    text.startsWith("II*\0") ||
    text.startsWith("MM\0*") ||
    text.includes("%PDF-")
  );
}

// pictureIn returns the first file that a drop or a paste brings.
export function pictureIn(data: DataTransfer | null): File | null {
  return data?.files[0] ?? null;
}
