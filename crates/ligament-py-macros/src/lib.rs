//! Attributes for everything that Python can call: [`macro@entry`] for functions, [`macro@entries`] for methods.
//!
//! They stand in place of `#[pyfunction]` and `#[pymethods]` and wrap each body in `crate::guard::entry`, which turns
//! a panic into an ordinary exception. A test forbids the two attributes of PyO3 themselves, so that no function can
//! be left without the guard.

use proc_macro::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Block, FnArg, ImplItem, ItemFn, ItemImpl, ReturnType, Signature, Type, parse_macro_input, parse_quote,
};

/// A function of the module.
#[proc_macro_attribute]
pub fn entry(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = parse_macro_input!(item as ItemFn);
    take_whole_numbers(&mut function.sig);
    guard(&mut function.sig, &mut function.block);
    quote!(#[::pyo3::pyfunction] #function).into()
}

/// The methods of a class.
#[proc_macro_attribute]
pub fn entries(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut methods = parse_macro_input!(item as ItemImpl);
    for method in &mut methods.items {
        if let ImplItem::Fn(method) = method {
            guard(&mut method.sig, &mut method.block);
        }
    }
    quote!(#[::pyo3::pymethods] #methods).into()
}

/// Integers are taken from everything that the reference takes them from (`crate::guard::whole`).
fn take_whole_numbers(signature: &mut Signature) {
    for input in &mut signature.inputs {
        if let FnArg::Typed(argument) = input
            && ["i32", "i64", "u32", "u64", "usize"].contains(&&*argument.ty.to_token_stream().to_string())
        {
            argument.attrs.push(parse_quote!(#[pyo3(from_py_with = crate::guard::whole)]));
        }
    }
}

/// Wraps a body; what could not fail so far returns a `PyResult` from now on.
fn guard(signature: &mut Signature, body: &mut Block) {
    let name = signature.ident.to_string();
    if fails(&signature.output) {
        *body = parse_quote!({ crate::guard::entry(&#name, move || #body) });
        return;
    }
    let value: Type = match &signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, value) => (**value).clone(),
    };
    signature.output = parse_quote!(-> ::pyo3::PyResult<#value>);
    *body = parse_quote!({ crate::guard::entry(&#name, move || Ok(#body)) });
}

/// Is it a `PyResult` already?
fn fails(output: &ReturnType) -> bool {
    match output {
        ReturnType::Type(_, value) => value.to_token_stream().to_string().starts_with("PyResult"),
        ReturnType::Default => false,
    }
}
