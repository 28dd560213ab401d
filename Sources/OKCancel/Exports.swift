// `import OKCancel` brings the vocabulary of prompts with it: a program that makes a server makes prompts.
@_exported public import struct Asks.CallbackPrefix
@_exported public import enum Asks.CallbackURLFault
@_exported public import struct Asks.WebhookSecret
@_exported public import Definitions
@_exported public import Prompts
